/** What a node is, and what a pod wants its node to be: names, labels, ports, images. */
@NullMarked
package dev.berth.scheduler.plugin.node;

import org.jspecify.annotations.NullMarked;
