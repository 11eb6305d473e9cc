package dev.berth.store.memory;

import dev.berth.store.Store;
import dev.berth.store.StoreContract;

class MemoryStoreTest extends StoreContract {

  @Override
  protected Store open() {
    return new MemoryStore();
  }
}
