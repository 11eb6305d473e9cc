package dev.berth.apiserver.service;

import java.util.List;

/**
 * The servers of a cluster that are alive, for the endpoints of the service {@code kubernetes}:
 * each says every ten seconds that it is, and is forgotten fifteen seconds after it last did.
 */
public interface LivingServers {

  /** Says that the server at an address is alive; the addresses of all that are. */
  List<String> renew(String address);

  /** Says that the server at an address ends; the addresses of all others that are alive. */
  List<String> remove(String address);

  /** One that has no others. */
  LivingServers ALONE =
      new LivingServers() {
        @Override
        public List<String> renew(String address) {
          return List.of(address);
        }

        @Override
        public List<String> remove(String address) {
          return List.of();
        }
      };
}
