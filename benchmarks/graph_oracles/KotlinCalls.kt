// Call edges of a Kotlin source tree as the compiler's own front end resolves them.
// usage: kotlinc -nowarn -cp kotlin-compiler.jar KotlinCalls.kt -d calls.jar
//        java -cp calls.jar:kotlin-compiler.jar:kotlin-stdlib.jar:kotlin-reflect.jar:kotlin-script-runtime.jar:trove4j.jar KotlinCallsKt ROOT OUT.tsv [library.jar ...]
// Rows: caller, callee, file, line, column (UTF-16), name, kind (internal | external | variable | unresolved), for
// `benchmarks graph --truth`: a callee is path:line:name, the caller is left empty, a constructor is its class.
// `variable` rows call a value: a parameter, a property of a function type.  Missing libraries leave calls unresolved.

import java.io.File
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys
import org.jetbrains.kotlin.cli.common.messages.MessageCollector
import org.jetbrains.kotlin.cli.jvm.compiler.*
import org.jetbrains.kotlin.cli.jvm.config.*
import org.jetbrains.kotlin.cli.common.config.*
import org.jetbrains.kotlin.config.*
import com.intellij.openapi.util.Disposer
import com.intellij.psi.PsiElement
import org.jetbrains.kotlin.descriptors.*
import org.jetbrains.kotlin.descriptors.impl.*
import org.jetbrains.kotlin.psi.*
import org.jetbrains.kotlin.types.ErrorUtils
import org.jetbrains.kotlin.resolve.*
import org.jetbrains.kotlin.resolve.calls.callUtil.getResolvedCall
import org.jetbrains.kotlin.resolve.calls.model.*

fun main(arguments: Array<String>) {
    val root = File(arguments[0]).canonicalFile
    val configuration = CompilerConfiguration()
    configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.NONE)
    configuration.put(CommonConfigurationKeys.MODULE_NAME, "calls")
    configuration.put(JVMConfigurationKeys.NO_JDK, false)
    configuration.languageVersionSettings = LanguageVersionSettingsImpl(
        LanguageVersion.KOTLIN_1_3, ApiVersion.KOTLIN_1_3,
        specificFeatures = mapOf(LanguageFeature.MultiPlatformProjects to LanguageFeature.State.ENABLED))
    configuration.addJvmClasspathRoots(arguments.drop(2).map(::File))
    configuration.addKotlinSourceRoots(root.walk().filter { it.extension == "kt" }.map { it.path }.sorted().toList())
    if (root.walk().any { it.extension == "java" }) configuration.addJavaSourceRoot(root)
    val environment = KotlinCoreEnvironment.createForProduction(
        Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES)
    val files = environment.getSourceFiles()
    val trace = CliBindingTrace()
    TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(
        environment.project, files, trace, configuration, environment::createPackagePartProvider)
    // What is expected in code for several platforms and actual in that for one has several places.
    val places = HashMap<String, MutableList<String>>()
    val several = HashSet<String>()
    val aliased = HashSet<DeclarationDescriptor>()
    for (file in files) file.accept(object : KtTreeVisitorVoid() {
        override fun visitNamedDeclaration(one: KtNamedDeclaration) {
            super.visitNamedDeclaration(one)
            val descriptor = trace.bindingContext.get(BindingContext.DECLARATION_TO_DESCRIPTOR, one)
            if (descriptor == null || !(one is KtClassOrObject || one is KtNamedFunction || one is KtTypeAlias)) return
            val name = DescriptorUtils.getFqName(descriptor).asString()
            // Members of a class that is the actual one by an alias have other names than the expected ones.
            if (descriptor is TypeAliasDescriptor && descriptor.isActual) descriptor.classDescriptor?.let { aliased.add(it) }
            if (one is KtTypeAlias) return
            places.getOrPut(name) { ArrayList() }.add(place(root, one))
            if (descriptor is MemberDescriptor && descriptor.isExpect) several.add(name)
        }
    })
    val expected = places.filterKeys { it in several }
    val kinds = sortedMapOf<String, Int>()
    File(arguments[1]).printWriter().use { out ->
        out.println("caller\tcallee\tfile\tline\tcol\tname\tkind")
        for (file in files) {
            val path = File(file.virtualFilePath).canonicalFile.relativeTo(root).path
            file.accept(Calls(root, trace.bindingContext, expected, aliased, file, path) { kind, row -> kinds.merge(kind, 1, Int::plus); out.println(row) })
        }
    }
    println("${files.size} files $kinds")
}

class Calls(
    val root: File, val context: BindingContext, val expected: Map<String, List<String>>, val aliased: Set<DeclarationDescriptor>, val file: KtFile, val path: String,
    val note: (String, String) -> Unit
) : KtTreeVisitorVoid() {
    val starts = starts(file)

    override fun visitCallExpression(call: KtCallExpression) {
        super.visitCallExpression(call)
        val named = call.calleeExpression as? KtSimpleNameExpression ?: return
        record(call, named, named.getReferencedName())
    }

    override fun visitBinaryExpression(expression: KtBinaryExpression) {
        super.visitBinaryExpression(expression)
        val operation = expression.operationReference
        if (operation.getReferencedNameElementType() == org.jetbrains.kotlin.lexer.KtTokens.IDENTIFIER)
            record(expression, operation, operation.getReferencedName()) // a infix b
    }

    override fun visitSuperTypeCallEntry(call: KtSuperTypeCallEntry) {
        super.visitSuperTypeCallEntry(call)
        // The base is an edge of another kind: nothing to note.
    }

    fun record(element: KtElement, named: PsiElement, name: String) {
        val at = named.node.startOffset
        val found = element.getResolvedCall(context)
        var kind = "unresolved"
        var callee = name
        if (found != null) {
            var descriptor: DeclarationDescriptor = found.resultingDescriptor
            if (found is VariableAsFunctionResolvedCall) {
                // An object that is called, or a value of a function type.
                descriptor = found.variableCall.resultingDescriptor
                kind = "variable"
            } else if (descriptor is org.jetbrains.kotlin.load.java.sam.SamConstructorDescriptor) {
                kind = "variable"
            } else {
                val source = source((descriptor as? ConstructorDescriptor)?.constructedClass ?: descriptor)
                kind = if (ErrorUtils.isError(descriptor) || !found.status.isSuccess) "unresolved" else if (source == null) "external" else "internal"
                if (source != null) callee = place(root, source)
                if (descriptor.containingDeclaration?.let { it in aliased } == true) kind = "variable"
                if (source is KtParameter) kind = "variable"
                if (source is KtClass && descriptor !is ConstructorDescriptor) kind = "variable" // what a data class or an enumeration is given
            }
        }
        val line = lineOf(starts, at)
        val row = { one: String, what: String -> note(what, listOf("", one, path, line + 1, at - starts[line], name, what).joinToString("\t")) }
        row(callee, kind)
        val also = found?.resultingDescriptor?.let { expected[DescriptorUtils.getFqName((it as? ConstructorDescriptor)?.constructedClass ?: it).asString()] }
        if (kind == "internal" && also != null) for (other in also) row(other, "overridden")
    }

    fun source(descriptor: DeclarationDescriptor): PsiElement? {
        var one = descriptor.original
        while (one is CallableMemberDescriptor && one.kind == CallableMemberDescriptor.Kind.FAKE_OVERRIDE)
            one = one.overriddenDescriptors.first().original
        if (one is TypeAliasConstructorDescriptor) one = one.underlyingConstructorDescriptor.original
        val declaration = DescriptorToSourceUtils.descriptorToDeclaration(one) ?: return null
        val place = declaration.containingFile?.virtualFile?.path ?: return null
        return if (File(place).toPath().startsWith(root.toPath())) declaration else null // not a library's class file
    }
}

fun place(root: File, declaration: PsiElement): String {
    val within = declaration.containingFile
    val at = ((declaration as? com.intellij.psi.PsiNameIdentifierOwner)?.nameIdentifier ?: declaration).textRange.startOffset
    val name = (declaration as? com.intellij.psi.PsiNamedElement)?.name ?: "invoke"
    return File(within.virtualFile.path).relativeTo(root).path + ":" + (lineOf(starts(within), at) + 1) + ":" + name
}

val linesOf = HashMap<PsiElement, List<Int>>()

fun starts(file: PsiElement): List<Int> =
    linesOf.getOrPut(file) { val text = file.text; text.indices.filter { it == 0 || text[it - 1] == '\n' } }

fun lineOf(starts: List<Int>, offset: Int): Int = starts.binarySearch(offset).let { if (it < 0) -it - 2 else it }
