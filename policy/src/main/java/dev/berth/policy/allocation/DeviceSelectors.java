package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceView;

/** Evaluates the expressions of selectors. */
@FunctionalInterface
public interface DeviceSelectors {

  /** Whether an expression selects a device of a driver. */
  Answer select(String expression, String driver, DeviceView device);

  /** Whether a device is selected, or why nobody can say. */
  sealed interface Answer {
    record Selected(boolean isSelected) implements Answer {}

    /** Such as {@code CEL runtime error: no such key: model}. */
    record Failed(String message) implements Answer {}
  }
}
