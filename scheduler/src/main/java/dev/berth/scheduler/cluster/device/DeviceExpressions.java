package dev.berth.scheduler.cluster.device;

import dev.berth.cel.device.DeviceExpression;
import dev.berth.cel.device.DeviceExpression.Compiled;
import dev.berth.cel.device.DeviceExpression.Match;
import dev.berth.cel.device.DeviceValues;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.policy.allocation.DeviceSelectors;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions of selectors. Classes and claims have a few different ones, and devices
 * seldom change: what an expression says of a device is remembered as long as the device is there.
 */
public final class DeviceExpressions implements DeviceSelectors {
  /** So many expressions are remembered. */
  private static final int MOST = 64;

  private final Map<String, Answers> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Answers> eldest) {
          return size() > MOST;
        }
      };

  /** An expression, and what it says of devices. */
  private static final class Answers {
    private final Compiled compiled;
    private final IdentityHashMap<DeviceView, Answer> byDevice = new IdentityHashMap<>();

    Answers(String expression) {
      compiled = DeviceExpression.compile(expression);
    }

    Answer of(String driver, DeviceView device) {
      return switch (compiled) {
        case Compiled.Invalid(String message) -> new Answer.Failed("CEL compile error: " + message);
        case Compiled.Valid(DeviceExpression expression) ->
            byDevice.computeIfAbsent(device, _ -> evaluate(expression, driver, device));
      };
    }

    private static Answer evaluate(DeviceExpression expression, String driver, DeviceView device) {
      return switch (expression.matches(DeviceValues.of(driver, device.tree()))) {
        case Match.Answer(boolean matches) -> new Answer.Selected(matches);
        case Match.Failed(String message) -> new Answer.Failed("CEL runtime error: " + message);
      };
    }
  }

  @Override
  public Answer select(String expression, String driver, DeviceView device) {
    return known.computeIfAbsent(expression, Answers::new).of(driver, device);
  }

  /** A slice has changed, or is gone. */
  void forget(@Nullable ResourceSliceView slice) {
    if (slice != null) {
      known.values().forEach(answers -> slice.devices().forEach(answers.byDevice::remove));
    }
  }
}
