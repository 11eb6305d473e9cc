package dev.berth.serving.aggregation;

import dev.berth.http.outgoing.Destination;
import java.io.IOException;

/** How servers of other groups are reached. For any thread; nothing blocks. */
@FunctionalInterface
public interface RemoteApiConnector {

  /** Where there are none, as in a cluster within one process. */
  RemoteApiConnector NONE =
      api -> {
        throw new IOException("this server does not connect to others");
      };

  /**
   * Where a server is and how to trust it.
   *
   * @throws IOException if nobody answers for its service, with the reason
   */
  Destination destination(RemoteApi api) throws IOException;
}
