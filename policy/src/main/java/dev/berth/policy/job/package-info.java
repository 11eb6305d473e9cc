/** Which pods of a job come and go, how they are counted, and when the job has ended. */
@NullMarked
package dev.berth.policy.job;

import org.jspecify.annotations.NullMarked;
