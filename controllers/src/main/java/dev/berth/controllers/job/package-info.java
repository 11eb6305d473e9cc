/** Runs the pods of jobs to their end, and counts them. */
@NullMarked
package dev.berth.controllers.job;

import org.jspecify.annotations.NullMarked;
