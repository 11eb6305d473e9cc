/** The pods of hollow nodes: admission, containers, status, and how they start, stop and end. */
@NullMarked
package dev.berth.hollow.pod;

import org.jspecify.annotations.NullMarked;
