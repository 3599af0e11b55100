import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.Tool;
import org.antlr.v4.runtime.*;
import org.antlr.v4.runtime.tree.*;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;
import org.antlr.v4.tool.ast.GrammarRootAST;

/**
 * Prints what ANTLR's own interpreter makes of files, in the form of the example `parse --tree`:
 * the yardstick for trees and for error / no error.
 *
 * Usage: java -cp antlr-4.x-complete.jar AntlrTrees.java GRAMMAR.g4[,GRAMMAR.g4] START|- TREE|- FILE...
 */
public class AntlrTrees {
    public static void main(String[] args) throws Exception {
        String[] files = args[0].split(",");
        for (int i = 0; i < files.length; i++) {
            files[i] = Path.of(files[i]).toAbsolutePath().toString();
        }
        Tool tool = new Tool();
        // The parser looks for its vocabulary in a file that only a full run of the tool writes.
        Path vocabulary = Files.createTempDirectory("antlr-trees");
        for (String file : files) {
            Tool writer = new Tool(new String[] {"-o", vocabulary.toString(), file});
            if (tool.createGrammar(tool.parseGrammar(file)) instanceof LexerGrammar) {
                writer.processGrammarsOnCommandLine();
            }
        }
        tool.libDirectory = vocabulary.toString();
        LexerGrammar lexerGrammar = null;
        Grammar grammar = null;
        for (String file : files) {
            GrammarRootAST root = tool.parseGrammar(file);
            Grammar made = tool.createGrammar(root);
            made.fileName = file;
            if (made instanceof LexerGrammar) {
                lexerGrammar = (LexerGrammar) made;
                tool.process(made, false);
            }
        }
        for (String file : files) {
            GrammarRootAST root = tool.parseGrammar(file);
            Grammar made = tool.createGrammar(root);
            made.fileName = file;
            if (!(made instanceof LexerGrammar)) {
                grammar = made;
                if (lexerGrammar != null) made.importVocab(lexerGrammar);
                tool.process(made, false);
            }
        }
        String start = args[1].equals("-") ? grammar.getRule(0).name : args[1];
        int rule = grammar.getRule(start).index;
        for (int i = 3; i < args.length; i++) {
            String text = new String(Files.readAllBytes(Path.of(args[i])), StandardCharsets.UTF_8);
            CharStream input = CharStreams.fromString(text);
            int[] errors = {0};
            BaseErrorListener counter = new BaseErrorListener() {
                @Override
                public void syntaxError(Recognizer<?, ?> r, Object s, int line, int at, String m,
                        RecognitionException e) {
                    errors[0]++;
                }
            };
            Lexer lexer = (lexerGrammar != null ? lexerGrammar : grammar).createLexerInterpreter(input);
            lexer.removeErrorListeners();
            lexer.addErrorListener(counter);
            ParserInterpreter parser = grammar.createParserInterpreter(new CommonTokenStream(lexer));
            parser.removeErrorListeners();
            parser.addErrorListener(counter);
            long begin = System.nanoTime();
            ParserRuleContext tree = null;
            String failure = null;
            try {
                tree = parser.parse(rule);
            } catch (Throwable e) {
                failure = e.toString();
            }
            double time = (System.nanoTime() - begin) / 1e6;
            String status = failure != null ? "failed" : errors[0] == 0 ? "valid" : "errors";
            System.out.printf("%s\t%d\t0\t0\t%.2f\t%s%n", status, errors[0], time, args[i]);
            if (args[2].equals("TREE") && tree != null) {
                System.out.println(show(tree, parser, offsets(text)));
            }
        }
    }

    /** The byte offset of each code point. */
    static int[] offsets(String text) {
        int[] points = text.codePoints().toArray();
        int[] offsets = new int[points.length + 1];
        for (int i = 0; i < points.length; i++) {
            int c = points[i];
            offsets[i + 1] = offsets[i] + (c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        }
        return offsets;
    }

    static String show(ParseTree root, Parser parser, int[] at) {
        StringBuilder text = new StringBuilder();
        List<Object> todo = new ArrayList<>(List.of(root));
        while (!todo.isEmpty()) {
            Object next = todo.remove(todo.size() - 1);
            if (next instanceof String) {
                text.append(next);
            } else if (next instanceof ParserRuleContext) {
                ParserRuleContext ctx = (ParserRuleContext) next;
                int from = at[Math.min(ctx.getStart().getStartIndex(), at.length - 1)];
                int to = ctx.getStop() == null ? from
                        : at[Math.min(Math.max(0, ctx.getStop().getStopIndex() + 1), at.length - 1)];
                text.append('(').append(parser.getRuleNames()[ctx.getRuleIndex()]);
                if (from < to) text.append(' ').append(from).append(' ').append(to);
                todo.add(")");
                for (int i = ctx.getChildCount() - 1; i >= 0; i--) todo.add(ctx.getChild(i));
            } else if (next instanceof ErrorNode) {
                Token token = ((ErrorNode) next).getSymbol();
                if (token.getTokenIndex() >= 0) {
                    text.append(" <error>").append(span(token, at));
                } else if (token.getText().startsWith("<missing ")) {
                    text.append(" <missing>");
                }
                // Else it stands for nothing: ANTLR's interpreter, and no generated parser, puts a
                // node with the next token's text where recovery skipped nothing.
            } else {
                text.append(span(((TerminalNode) next).getSymbol(), at));
            }
        }
        return text.toString();
    }

    static String span(Token token, int[] at) {
        int from = at[Math.min(token.getStartIndex(), at.length - 1)];
        int to = token.getType() == Token.EOF ? from : at[token.getStopIndex() + 1];
        return " [" + from + " " + to + "]";
    }
}
