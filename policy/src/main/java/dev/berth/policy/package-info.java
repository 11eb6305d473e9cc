@NullMarked
package dev.berth.policy;

import org.jspecify.annotations.NullMarked;
