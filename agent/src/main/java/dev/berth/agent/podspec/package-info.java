/** What a pod's specification means to a runtime: limits, users, names, files and mounts. */
@NullMarked
package dev.berth.agent.podspec;

import org.jspecify.annotations.NullMarked;
