/** How requests fail: Kubernetes' Status objects, their reasons and their words. */
@NullMarked
package dev.berth.apiserver.status;

import org.jspecify.annotations.NullMarked;
