/**
 * What the API looks like, in OpenAPI 3 and 2: the documents that {@code kubectl explain} and
 * client-side validation read.
 */
@NullMarked
package dev.berth.serving.openapi;

import org.jspecify.annotations.NullMarked;
