@NullMarked
package dev.berth.time;

import org.jspecify.annotations.NullMarked;
