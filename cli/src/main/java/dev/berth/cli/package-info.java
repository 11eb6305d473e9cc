@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
