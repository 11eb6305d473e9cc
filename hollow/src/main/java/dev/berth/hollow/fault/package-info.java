/** What goes wrong on hollow nodes, by order or by chance. */
@NullMarked
package dev.berth.hollow.fault;

import org.jspecify.annotations.NullMarked;
