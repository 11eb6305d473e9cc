package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdClient;
import dev.berth.store.etcd.EtcdConnector;

/** Made by name, where a server is told to use etcd. */
public final class GrpcEtcdConnector implements EtcdConnector {

  @Override
  public EtcdClient connect(Servers servers) {
    return new GrpcEtcdClient(new EtcdChannels(servers));
  }
}
