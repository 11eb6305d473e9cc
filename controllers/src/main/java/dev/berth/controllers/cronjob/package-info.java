/** Starts jobs at set times. */
@NullMarked
package dev.berth.controllers.cronjob;

import org.jspecify.annotations.NullMarked;
