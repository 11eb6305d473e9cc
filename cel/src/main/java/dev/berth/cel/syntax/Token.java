package dev.berth.cel.syntax;

/** A word of an expression. */
record Token(Kind kind, int offset, String text) {
  enum Kind {
    END,
    PUNCTUATION,
    IDENTIFIER,
    QUOTED_IDENTIFIER,
    INT,
    UINT,
    FLOAT,
    STRING,
    BYTES
  }

  /** Whether it is this operator, bracket or keyword. */
  boolean is(String word) {
    return kind == Kind.PUNCTUATION && text.equals(word);
  }

  /** Whether an operand can begin with it. */
  boolean beginsOperand() {
    return switch (kind) {
      case END, QUOTED_IDENTIFIER -> false;
      case IDENTIFIER, INT, UINT, FLOAT, STRING, BYTES -> true;
      case PUNCTUATION ->
          switch (text) {
            case "[", "{", "(", ".", "-", "!", "true", "false", "null" -> true;
            default -> false;
          };
    };
  }

  /** As messages quote it. */
  String quoted() {
    return "'" + (kind == Kind.END ? "<EOF>" : text) + "'";
  }
}
