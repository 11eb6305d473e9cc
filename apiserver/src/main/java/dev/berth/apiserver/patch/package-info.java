/** The patch types of the API as pure operations on trees: JSON, merge and strategic merge. */
@NullMarked
package dev.berth.apiserver.patch;

import org.jspecify.annotations.NullMarked;
