/** How requests fail: Kubernetes' Status objects, their reasons and their words. */
@NullMarked
package dev.berth.registry.status;

import org.jspecify.annotations.NullMarked;
