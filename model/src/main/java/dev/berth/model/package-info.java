@NullMarked
package dev.berth.model;

import org.jspecify.annotations.NullMarked;
