// Call edges of a Java source tree as the compiler resolves them.
// usage: java JavaCalls.java ROOT OUT.tsv
// Rows: caller, callee, file, line, column, name, kind (internal | external | variable | unresolved), named as `benchmarks graph` names
// them: package.Class.method; lambdas are no scopes,
// and an anonymous class is one only under the name of the field or constant that holds it.  `variable` rows are members that the compiler makes up
// (values() of an enumeration).  Missing libraries leave calls unresolved.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class JavaCalls {
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
    List<File> files;
    try (Stream<Path> all = Files.walk(root)) {
      files =
          all.filter(p -> p.toString().endsWith(".java") && !p.getFileName().toString().equals("module-info.java"))
              .sorted()
              .map(Path::toFile)
              .collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1");
    JavacTask task =
        (JavacTask) compiler.getTask(null, manager, problems, options, null, manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    task.analyze();
    Trees trees = Trees.instance(task);
    Map<String, Integer> kinds = new TreeMap<>();
    try (PrintWriter out = new PrintWriter(arguments[1], StandardCharsets.UTF_8)) {
      out.println("caller\tcallee\tfile\tline\tcol\tname\tkind");
      for (CompilationUnitTree unit : units) {
        String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
        new Calls(trees, unit, path, out, kinds).scan(unit, null);
      }
    }
    System.out.println(files.size() + " files " + kinds + " " + problems.getDiagnostics().size() + " problems");
  }

  static class Calls extends TreePathScanner<Void, Void> {
    final Trees trees;
    final CompilationUnitTree unit;
    final String path;
    final PrintWriter out;
    final Map<String, Integer> kinds;
    final String text;
    final Deque<String> scopes = new ArrayDeque<>();
    String holder = ""; // the field or constant whose value is being read

    Calls(Trees trees, CompilationUnitTree unit, String path, PrintWriter out, Map<String, Integer> kinds) throws IOException {
      this.trees = trees;
      this.unit = unit;
      this.path = path;
      this.out = out;
      this.kinds = kinds;
      this.text = unit.getSourceFile().getCharContent(true).toString();
      if (unit.getPackageName() != null) scopes.addLast(unit.getPackageName().toString());
    }

    void within(String name, Runnable inside) {
      if (!name.isEmpty()) scopes.addLast(name);
      inside.run();
      if (!name.isEmpty()) scopes.removeLast();
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      String name = tree.getSimpleName().toString(), outer = holder;
      holder = "";
      within(name.isEmpty() ? outer : name, () -> super.visitClass(tree, null));
      holder = outer;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      if (trees.getSourcePositions().getEndPosition(unit, tree) < 0) return null; // a constructor that nobody wrote
      String name = tree.getName().toString();
      String owner = scopes.peekLast();
      within(name.equals("<init>") ? owner : name, () -> super.visitMethod(tree, null));
      return null;
    }

    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
      Element element = trees.getElement(getCurrentPath());
      boolean member = element != null && (element.getKind() == ElementKind.ENUM_CONSTANT || element.getKind() == ElementKind.FIELD);
      String outer = holder;
      holder = member ? tree.getName().toString() : holder;
      super.visitVariable(tree, null);
      holder = outer;
      return null;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
      ExpressionTree called = tree.getMethodSelect();
      TreePath at = new TreePath(getCurrentPath(), called);
      if (called instanceof MemberSelectTree) {
        MemberSelectTree select = (MemberSelectTree) called;
        int end = (int) trees.getSourcePositions().getEndPosition(unit, select);
        note(trees.getElement(at), end - select.getIdentifier().length(), select.getIdentifier().toString());
      } else if (called instanceof IdentifierTree) {
        int start = (int) trees.getSourcePositions().getStartPosition(unit, called);
        note(trees.getElement(at), start, ((IdentifierTree) called).getName().toString());
      }
      return super.visitMethodInvocation(tree, null);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
      ExpressionTree named = tree.getIdentifier();
      if (named instanceof ParameterizedTypeTree) named = (ExpressionTree) ((ParameterizedTypeTree) named).getType();
      if (named instanceof AnnotatedTypeTree) named = ((AnnotatedTypeTree) named).getUnderlyingType();
      TreePath at = TreePath.getPath(unit, named);
      String name = named instanceof MemberSelectTree ? ((MemberSelectTree) named).getIdentifier().toString() : named.toString();
      int end = (int) trees.getSourcePositions().getEndPosition(unit, named);
      if (at != null && end >= 0 && text.charAt(Math.max(0, (int) trees.getSourcePositions().getStartPosition(unit, tree))) != '"')
        note(trees.getElement(at), end - name.length(), name);
      return super.visitNewClass(tree, null);
    }

    void note(Element element, int start, String name) {
      if (start < 0 || !text.startsWith(name, start)) return;
      String kind = "external", callee = name;
      if (element == null || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) kind = "unresolved";
      else {
        Element type = element;
        while (!(type.getKind().isClass() || type.getKind().isInterface())) type = type.getEnclosingElement();
        if (trees.getTree((TypeElement) type) != null) {
          boolean made = element.getKind() == ElementKind.CONSTRUCTOR;
          boolean written = made || element == type || trees.getTree(element) != null;
          kind = written ? "internal" : "variable";
          callee = qualified(made ? type : element);
        }
      }
      long line = unit.getLineMap().getLineNumber(start);
      long column = start - unit.getLineMap().getStartPosition(line);
      kinds.merge(kind, 1, Integer::sum);
      out.println(String.join("\t", String.join(".", scopes), callee, path, "" + line, "" + column, name, kind));
    }

    String qualified(Element element) {
      Deque<String> parts = new ArrayDeque<>();
      for (Element e = element; e != null && e.getKind() != ElementKind.MODULE; e = e.getEnclosingElement()) {
        String name = e instanceof QualifiedNameable && e.getKind() == ElementKind.PACKAGE ? e.toString() : e.getSimpleName().toString();
        if (name.equals("<init>")) name = e.getEnclosingElement().getSimpleName().toString();
        if (!name.isEmpty() && !name.equals("unnamed package")) parts.addFirst(name);
      }
      return String.join(".", parts);
    }
  }
}
