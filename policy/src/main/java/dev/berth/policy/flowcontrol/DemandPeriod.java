package dev.berth.policy.flowcontrol;

/**
 * The seats that a priority level could have used during one period.
 *
 * @param highWatermark the most at any time
 * @param smoothed the average and a deviation, over this period and those before
 */
public record DemandPeriod(int highWatermark, double average, double deviation, double smoothed) {}
