/** Typed views of jobs and cron jobs, as their controllers see them. */
@NullMarked
package dev.berth.model.batch;

import org.jspecify.annotations.NullMarked;
