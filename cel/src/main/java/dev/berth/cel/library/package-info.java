/** The functions that Kubernetes gives to expressions. */
@NullMarked
package dev.berth.cel.library;

import org.jspecify.annotations.NullMarked;
