/** Keeps an object in every namespace. */
@NullMarked
package dev.berth.controllers.everynamespace;

import org.jspecify.annotations.NullMarked;
