/** Keys and values in etcd, as a kube-apiserver has them. */
@NullMarked
package dev.berth.apiserver.layout;

import org.jspecify.annotations.NullMarked;
