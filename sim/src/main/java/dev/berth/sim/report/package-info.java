/** What a simulation showed: for people as a page, for machines as JSON and CSV. */
@NullMarked
package dev.berth.sim.report;

import org.jspecify.annotations.NullMarked;
