package com.example.bank;

import java.util.List;
import java.util.function.*;
import static java.lang.Math.max;
import static com.example.bank.Rates.*;

/**
 * An account of a customer.
 */
@Entity(name = "account")
@Deprecated
public abstract class Account<T extends Owner> extends Base<T> implements Auditable, com.example.io.Stored<T> {
    private static final int LIMIT = 10, STEP = 2;
    protected List<Entry> entries = new ArrayList<>();
    String note;

    static {
        register(Account.class);
    }

    public Account(T owner, int... amounts) {
        super(owner);
        this.entries = List.of();
    }

    /** Adds an entry. */
    @Override
    public <R extends Entry> R add(final R entry, Map<String, int[]> hints) throws IOException {
        this.entries.add(entry);
        Runnable later = this::flush;
        hints.forEach((key, value) -> audit(key, max(LIMIT, value.length)));
        return (R) new Receipt<R>(entry) {
            void print() {
                System.out.println(note);
            }
        };
    }

    abstract void flush();

    public static Account<?> open(String name) {
        return Bank.lookup(name).orElseThrow(NotFound::new);
    }

    public enum State implements Labelled {
        OPEN, CLOSED("closed") {
            String label() { return "x"; }
        };

        State(String... labels) { }
    }

    interface Listener extends EventListener, Consumer<Entry> {
        int PRIORITY = 1;
        void changed(Account<?> account);
        default boolean accepts(Object source) { return source instanceof Account; }
    }

    @interface Checked {
        String value() default "";
    }

    record Transfer(Account<?> from, long cents) implements Auditable {
        Transfer {
            Objects.requireNonNull(from);
        }
    }
}
