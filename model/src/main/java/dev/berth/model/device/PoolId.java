package dev.berth.model.device;

/** Which pool of devices it is. */
public record PoolId(String driver, String pool) implements Comparable<PoolId> {

  @Override
  public int compareTo(PoolId other) {
    int byDriver = driver.compareTo(other.driver);
    return byDriver == 0 ? pool.compareTo(other.pool) : byDriver;
  }

  @Override
  public String toString() {
    return driver + "/" + pool;
  }
}
