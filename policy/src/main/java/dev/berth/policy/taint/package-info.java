/** Which taints a pod tolerates, and what the others do to it. */
@NullMarked
package dev.berth.policy.taint;

import org.jspecify.annotations.NullMarked;
