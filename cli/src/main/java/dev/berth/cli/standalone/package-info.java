/** The commands that run a component for any Kubernetes API server. */
@NullMarked
package dev.berth.cli.standalone;

import org.jspecify.annotations.NullMarked;
