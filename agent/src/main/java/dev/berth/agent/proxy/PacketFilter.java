package dev.berth.agent.proxy;

import dev.berth.agent.network.Nft;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;

/** Where rules are put. All of it may block. */
public interface PacketFilter {

  /** Carries out commands of nftables, all of them or none. */
  void apply(String commands) throws IOException;

  /** The sets of a table, as nft lists them in JSON; empty if there is no such table. */
  JsonObject sets(String table);

  /** Whether a table still has a chain that was put there. */
  boolean hasChain(String table, String chain);

  /** The kernel's. */
  static PacketFilter of(Nft nft) {
    return new PacketFilter() {
      @Override
      public void apply(String commands) throws IOException {
        nft.run(commands);
      }

      @Override
      public JsonObject sets(String table) {
        return nft.sets(table);
      }

      @Override
      public boolean hasChain(String table, String chain) {
        return nft.hasChain(table, chain);
      }
    };
  }
}
