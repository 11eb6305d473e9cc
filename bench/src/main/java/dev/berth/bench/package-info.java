@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
