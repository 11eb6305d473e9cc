/** When cron jobs run, and what follows from that. */
@NullMarked
package dev.berth.policy.cronjob;

import org.jspecify.annotations.NullMarked;
