import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * The links of a Java project as javac sees them, for comparison with Kitbag's.
 *
 * <p>`java --add-exports jdk.compiler/com.sun.tools.javac.{code,tree}=ALL-UNNAMED Javac.java REPO [CLASSPATH] > oracle.jsonl`. All sources are attributed together; what needs a library that is not there stays
 * "unknown". What comes out is described in README.md.
 */
public class Javac {
    static Path root;
    static Trees trees;
    static PrintStream out;

    public static void main(String[] args) throws Exception {
        root = Path.of(args[0]).toRealPath();
        out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        List<File> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(p -> p.toString().endsWith(".java"))
                    .filter(p -> !p.endsWith("module-info.java") && !p.endsWith("package-info.java"))
                    .sorted().map(Path::toFile).collect(Collectors.toList());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, Locale.ROOT, StandardCharsets.UTF_8);
        List<String> options = new ArrayList<>(List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1000000"));
        if (args.length > 1) options.addAll(List.of("-cp", args[1]));
        JavacTask task = (JavacTask) compiler.getTask(Writer.nullWriter(), manager, d -> {}, options, null, manager.getJavaFileObjectsFromFiles(files));
        trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) new Uses(unit).scan(unit, null);
        out.flush();
    }

    static class Uses extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final String file;

        Uses(CompilationUnitTree unit) {
            this.unit = unit;
            this.file = path(unit);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void none) {
            add("call", node.getMethodSelect(), symbol(node.getMethodSelect()));
            return super.visitMethodInvocation(node, none);
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void none) {
            Symbol made = ((JCTree.JCNewClass) node).constructor;
            if (node.getClassBody() != null) made = symbol(name(node.getIdentifier()));
            add("call", name(node.getIdentifier()), made);
            return super.visitNewClass(node, none);
        }

        @Override
        public Void visitClass(ClassTree node, Void none) {
            List<Tree> bases = new ArrayList<>(node.getImplementsClause());
            if (node.getExtendsClause() != null) bases.add(node.getExtendsClause());
            for (Tree base : bases) add("inherit", name(base), symbol(name(base)));
            return super.visitClass(node, none);
        }

        @Override
        public Void visitIdentifier(IdentifierTree node, Void none) {
            Symbol symbol = symbol(node);
            if (symbol instanceof Symbol.ClassSymbol && !node.getName().contentEquals("this") && !node.getName().contentEquals("super"))
                add("type", node, symbol);
            return super.visitIdentifier(node, none);
        }

        void add(String kind, Tree node, Symbol symbol) {
            String name = node instanceof MemberSelectTree select ? select.getIdentifier().toString() : node.toString();
            long end = trees.getSourcePositions().getEndPosition(unit, node);
            if (end < 0) return;
            long start = end - name.length();
            LineMap lines = unit.getLineMap();
            StringBuilder row = new StringBuilder("{\"kind\":\"" + kind + "\",\"file\":" + quoted(file) + ",\"line\":" + lines.getLineNumber(start)
                    + ",\"column\":" + lines.getColumnNumber(start) + ",\"name\":" + quoted(name) + ",\"where\":\"");
            List<String> targets = new ArrayList<>();
            String what = "function";
            if (symbol != null && symbol.kind != com.sun.tools.javac.code.Kinds.Kind.ERR) {
                if (symbol instanceof Symbol.ClassSymbol) what = "class";
                targets.addAll(places(symbol));
                // `new T()` runs a constructor; T itself is as good an answer, and the only one where none is written.
                if (symbol.isConstructor()) targets.addAll(places(symbol.owner));
            }
            if (symbol == null || symbol.kind.isResolutionError() || symbol.asType() != null && symbol.asType().isErroneous()) row.append("unknown\"");
            else if (targets.isEmpty()) row.append("outside\",\"symbol\":" + quoted(symbol.owner + "." + symbol));
            else row.append((isLocal(symbol) ? "local" : "inside") + "\",\"target_kind\":\"" + what + "\",\"targets\":[" + String.join(",", targets) + "]");
            out.println(row + "}");
        }
    }

    /** Where a symbol is written: the line of its name, and the first line of its declaration with annotations. */
    static List<String> places(Symbol symbol) {
        TreePath path = trees.getPath(symbol);
        if (path == null) return List.of();
        CompilationUnitTree unit = path.getCompilationUnit();
        long first = trees.getSourcePositions().getStartPosition(unit, path.getLeaf());
        if (first < 0) return List.of();
        // TreeInfo's position of a declaration is that of its name.
        long name = ((JCTree) path.getLeaf()).pos;
        LineMap lines = unit.getLineMap();
        return List.of("{\"file\":" + quoted(path(unit)) + ",\"line\":" + lines.getLineNumber(name < 0 ? first : name) + ",\"first\":" + lines.getLineNumber(first) + "}");
    }

    /** Whether a class is declared inside a method. */
    static boolean isLocal(Symbol symbol) {
        Symbol type = symbol.isConstructor() ? symbol.owner : symbol;
        return type instanceof Symbol.ClassSymbol && !(type.owner instanceof Symbol.ClassSymbol || type.owner instanceof Symbol.PackageSymbol);
    }

    static Tree name(Tree node) {
        if (node instanceof ParameterizedTypeTree generic) return name(generic.getType());
        if (node instanceof AnnotatedTypeTree annotated) return name(annotated.getUnderlyingType());
        return node;
    }

    static Symbol symbol(Tree node) {
        if (node instanceof JCTree.JCIdent ident) return ident.sym;
        if (node instanceof JCTree.JCFieldAccess access) return access.sym;
        return null;
    }

    static String path(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
