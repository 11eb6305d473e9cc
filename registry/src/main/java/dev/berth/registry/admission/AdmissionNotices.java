package dev.berth.registry.admission;

/** What policies have to say about a write beside whether it may be. */
public interface AdmissionNotices {
  /** Told to nobody. */
  AdmissionNotices NONE =
      new AdmissionNotices() {
        @Override
        public void warn(String text) {}

        @Override
        public void annotate(String key, String value) {}
      };

  /** Says something to whoever writes. */
  void warn(String text);

  /** Says something in the audit log. */
  void annotate(String key, String value);

  /** Says something in the audit log, if that records what was sent at all. */
  default void annotateContent(String key, String value) {}
}
