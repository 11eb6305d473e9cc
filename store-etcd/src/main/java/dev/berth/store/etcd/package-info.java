/** The store on etcd, which several servers share. */
@NullMarked
package dev.berth.store.etcd;

import org.jspecify.annotations.NullMarked;
