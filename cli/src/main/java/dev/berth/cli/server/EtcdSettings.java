package dev.berth.cli.server;

import dev.berth.store.etcd.EtcdConnector;

/**
 * Where a server keeps its objects, if not in its data directory.
 *
 * @param prefix what all keys begin with
 */
record EtcdSettings(EtcdConnector.Servers servers, String prefix) {}
