/** The group batch: jobs and cron jobs. */
@NullMarked
package dev.berth.kinds.batch;

import org.jspecify.annotations.NullMarked;
