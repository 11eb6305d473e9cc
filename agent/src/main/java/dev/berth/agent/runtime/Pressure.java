package dev.berth.agent.runtime;

/**
 * How much processes have to wait for something (PSI).
 *
 * @param some while others go on
 * @param full while none of them goes on
 */
public record Pressure(Share some, Share full) {
  public static final Pressure NONE = new Pressure(Share.NONE, Share.NONE);

  /**
   * The share of time.
   *
   * @param average10 in percent of the last 10 seconds
   * @param total in the kernel's unit, microseconds, as kubelets show it
   */
  public record Share(double average10, double average60, double average300, long total) {
    public static final Share NONE = new Share(0, 0, 0, 0);
  }

  /**
   * Reads what the kernel writes: {@code some avg10=0.00 avg60=0.00 avg300=0.00 total=0} and the
   * same with {@code full}.
   *
   * @param text empty where the kernel counts nothing
   */
  public static Pressure parse(String text) {
    return new Pressure(share(text, "some "), share(text, "full "));
  }

  private static Share share(String text, String which) {
    return text.lines()
        .filter(line -> line.startsWith(which))
        .findFirst()
        .map(line -> line.split(" ", -1))
        .filter(words -> words.length == 5)
        .map(words ->
            new Share(
                Double.parseDouble(value(words[1])),
                Double.parseDouble(value(words[2])),
                Double.parseDouble(value(words[3])),
                Long.parseLong(value(words[4]))))
        .orElse(Share.NONE);
  }

  private static String value(String word) {
    return word.substring(word.indexOf('=') + 1);
  }
}
