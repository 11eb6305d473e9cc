@NullMarked
package dev.berth.policy.taint;

import org.jspecify.annotations.NullMarked;
