/**
 * Configuration files in the forms of Kubernetes: read strictly, with all that is wrong at once.
 */
@NullMarked
package dev.berth.model.config;

import org.jspecify.annotations.NullMarked;
