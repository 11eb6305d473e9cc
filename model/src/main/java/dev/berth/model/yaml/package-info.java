/** YAML, read into trees and written from them, as Kubernetes' own tools understand it. */
@NullMarked
package dev.berth.model.yaml;

import org.jspecify.annotations.NullMarked;
