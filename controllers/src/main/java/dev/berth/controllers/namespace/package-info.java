/** Empties namespaces that are being deleted, and lets them go. */
@NullMarked
package dev.berth.controllers.namespace;

import org.jspecify.annotations.NullMarked;
