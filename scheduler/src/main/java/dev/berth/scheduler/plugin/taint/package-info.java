/** Taints keep pods off nodes. */
@NullMarked
package dev.berth.scheduler.plugin.taint;

import org.jspecify.annotations.NullMarked;
