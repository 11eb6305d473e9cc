package dev.berth.admission.match;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.HashSet;
import java.util.Set;

/**
 * Which of those who mutate are asked again in a second round: who wants to be, was asked before,
 * and has not seen what the object has become since.
 */
public final class Rounds {
  private final Set<String> asked = new HashSet<>();
  private final Set<String> askAgain = new HashSet<>();
  private JsonObject last = JsonObject.EMPTY;

  /** What a plugin knows of the rounds of a request, as the next of them begins. */
  public static Rounds begin(AdmissionRequest request, Object plugin) {
    Rounds rounds = request.reinvocation().memory(plugin, Rounds::new);
    boolean again = request.reinvocation().isSecondRound();
    if (again && !request.object().equals(rounds.last)) {
      rounds.objectChanged();
    }
    return rounds;
  }

  /** Whether somebody is to be asked in this round. */
  public boolean includes(AdmissionRequest request, String id) {
    return !request.reinvocation().isSecondRound() || askAgain.contains(id);
  }

  /**
   * Somebody was asked.
   *
   * @param changed whether the object is another one now, so that all plugins are asked once more
   * @param wantsMore whether it wants to be asked again if others change the object
   */
  public void asked(AdmissionRequest request, String id, boolean changed, boolean wantsMore) {
    if (changed) {
      objectChanged();
      request.reinvocation().request();
    }
    if (wantsMore) {
      asked.add(id);
    }
  }

  /** The round is over. */
  public void end(JsonObject object) {
    last = object;
  }

  private void objectChanged() {
    askAgain.addAll(asked);
    asked.clear();
  }
}
