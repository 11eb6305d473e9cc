/** The group storage.k8s.io: storage classes, CSI drivers and nodes, volume attachments. */
@NullMarked
package dev.berth.kinds.storage;

import org.jspecify.annotations.NullMarked;
