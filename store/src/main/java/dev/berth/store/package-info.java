@NullMarked
package dev.berth.store;

import org.jspecify.annotations.NullMarked;
