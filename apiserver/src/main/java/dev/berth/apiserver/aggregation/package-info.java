/** APIServices: which server answers for which group and version, and whether it does. */
@NullMarked
package dev.berth.apiserver.aggregation;

import org.jspecify.annotations.NullMarked;
