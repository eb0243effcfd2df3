// Definitions as javac's parser sees them: java Definitions.java < files, one a line.
// Prints file, line of the name, name, kind.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.tools.*;

public class Definitions {
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String file; (file = lines.readLine()) != null; ) {
            String text = Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
            JavaFileObject source =
                    new SimpleJavaFileObject(Path.of(file).toAbsolutePath().toUri(), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignore) {
                            return text;
                        }
                    };
            JavacTask task = (JavacTask)
                    compiler.getTask(new StringWriter(), null, problem -> {}, List.of("-proc:none"), null, List.of(source));
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(unit, Trees.instance(task).getSourcePositions(), text, file, out).scan(unit, null);
            }
        }
        out.flush();
    }

    static class Scanner extends TreeScanner<Void, String> {
        final CompilationUnitTree unit;
        final SourcePositions positions;
        final String text;
        final String file;
        final PrintStream out;

        Scanner(CompilationUnitTree unit, SourcePositions positions, String text, String file, PrintStream out) {
            this.unit = unit;
            this.positions = positions;
            this.text = text;
            this.file = file;
            this.out = out;
        }

        void say(Tree node, Tree modifiers, String name, String kind) {
            long start = positions.getStartPosition(unit, node);
            long after = positions.getEndPosition(unit, modifiers);
            Matcher matcher = Pattern.compile("(?<![\\w$.@])" + Pattern.quote(name) + "(?![\\w$])").matcher(text);
            if (start >= 0 && matcher.find((int) Math.max(start, after))) {
                out.println(file + "\t" + unit.getLineMap().getLineNumber(matcher.start()) + "\t" + name + "\t" + kind);
            }
        }

        @Override
        public Void visitClass(ClassTree node, String around) {
            String name = node.getSimpleName().toString();
            if (!name.isEmpty()) {
                say(node, node.getModifiers(), name, node.getKind().toString().toLowerCase());
            }
            return super.visitClass(node, name);
        }

        @Override
        public Void visitMethod(MethodTree node, String around) {
            boolean constructor = node.getName().contentEquals("<init>");
            say(node, node.getModifiers(), constructor ? around : node.getName().toString(), "method");
            return super.visitMethod(node, around);
        }
    }
}
