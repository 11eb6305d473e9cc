/** Many hollow nodes in one process, and what the server tells them. */
@NullMarked
package dev.berth.hollow.fleet;

import org.jspecify.annotations.NullMarked;
